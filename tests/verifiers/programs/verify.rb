# A verifier with one mistake, named by the first argument. Reads the body, prints the digest that it computes.
require "json"
require "openssl"

# As Rails sets it; else a bare shell would print letters beyond ASCII as escapes.
Encoding.default_external = "UTF-8"
RAW = $stdin.binmode.read
SECRET = ENV.fetch("SECRET")
PARSE = -> { JSON.parse(RAW.dup.force_encoding("UTF-8")) }

def sign(body, key = SECRET, algorithm = "SHA1")
  OpenSSL::HMAC.hexdigest(algorithm, key, body)
end

MISTAKES = {
  "generate" => -> { sign(JSON.generate(PARSE.call)) },
  "pretty_generate" => -> { sign(JSON.pretty_generate(PARSE.call)) },
  "to_s" => -> { sign(PARSE.call.to_s) },
  "swapped" => -> { sign(SECRET, RAW) },
  "upper" => -> { sign(RAW).upcase },
  "puts" => -> { sign("#{RAW}\n") },
  "right" => -> { sign(RAW) }
}.freeze
print MISTAKES.fetch(ARGV[0]).call
