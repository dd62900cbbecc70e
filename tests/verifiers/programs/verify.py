# A verifier with many mistakes. For each line, a mistake and a body in base64, it prints the digest that it computes.
import base64, hashlib, hmac, json, os, sys, unicodedata, urllib.parse

secret = os.environ["SECRET"]


def sign(body, key=secret, algorithm=hashlib.sha1):
    to_bytes = lambda value: value if isinstance(value, bytes) else value.encode()
    return hmac.new(to_bytes(key), to_bytes(body), algorithm).hexdigest()


mistakes = {
    "dumps": lambda raw: sign(json.dumps(json.loads(raw))),
    "dumps_compact": lambda raw: sign(json.dumps(json.loads(raw), separators=(",", ":"))),
    "dumps_sorted": lambda raw: sign(json.dumps(json.loads(raw), sort_keys=True)),
    "dumps_sorted_compact": lambda raw: sign(json.dumps(json.loads(raw), sort_keys=True, separators=(",", ":"))),
    "dumps_unicode": lambda raw: sign(json.dumps(json.loads(raw), ensure_ascii=False)),
    "dumps_indent": lambda raw: sign(json.dumps(json.loads(raw), indent=4)),
    "str_of_dict": lambda raw: sign(str(json.loads(raw))),
    "str_of_bytes": lambda raw: sign(str(raw)),
    "quoted": lambda raw: sign(urllib.parse.quote(raw)),
    "latin1": lambda raw: sign(raw.decode("latin-1")),
    "nfd": lambda raw: sign(unicodedata.normalize("NFD", raw.decode())),
    "replaced": lambda raw: sign(raw.decode().encode("ascii", "replace")),
    "secret_from_file": lambda raw: sign(raw, secret + "\n"),
    "secret_none": lambda raw: sign(raw, str(os.environ.get("SHARED_SECRT"))),
    "secret_as_base64": lambda raw: sign(raw, base64.b64encode(secret.encode())),
    "sha256": lambda raw: sign(raw, algorithm=hashlib.sha256),
    "no_hmac": lambda raw: hashlib.sha1(secret.encode() + raw).hexdigest(),
    "no_secret": lambda raw: hashlib.sha1(raw).hexdigest(),
    "no_body": lambda raw: hashlib.sha1(secret.encode()).hexdigest(),
    "base64_digest": lambda raw: base64.b64encode(hmac.new(secret.encode(), raw, hashlib.sha1).digest()).decode(),
    "dumps_and_file": lambda raw: sign(json.dumps(json.loads(raw)), secret + "\n"),
    "right": lambda raw: sign(raw),
}
for line in sys.stdin:
    mistake, body = line.split()
    print(mistakes[mistake](base64.b64decode(body)))
