# A verifier with many mistakes. For each line, a mistake and a body in base64, it prints the digest that it computes.
require "json"
require "openssl"

# As Rails sets it; else a bare shell would print letters beyond ASCII as escapes.
Encoding.default_external = "UTF-8"
SECRET = ENV.fetch("SECRET")
PARSE = ->(raw) { JSON.parse(raw.dup.force_encoding("UTF-8")) }

def sign(body, key = SECRET, algorithm = "SHA1")
  OpenSSL::HMAC.hexdigest(algorithm, key, body)
end

MISTAKES = {
  "generate" => ->(raw) { sign(JSON.generate(PARSE.call(raw))) },
  "pretty_generate" => ->(raw) { sign(JSON.pretty_generate(PARSE.call(raw))) },
  "to_s" => ->(raw) { sign(PARSE.call(raw).to_s) },
  "swapped" => ->(raw) { sign(SECRET, raw) },
  "upper" => ->(raw) { sign(raw).upcase },
  "puts" => ->(raw) { sign("#{raw}\n") },
  "right" => ->(raw) { sign(raw) }
}.freeze
$stdin.each_line do |line|
  mistake, body = line.split
  puts MISTAKES.fetch(mistake).call(body.unpack1("m"))
end
