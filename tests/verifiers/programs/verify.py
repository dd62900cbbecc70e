# A verifier with one mistake, named by the first argument. Reads the body, prints the digest that it computes.
import base64, hashlib, hmac, json, os, sys, unicodedata, urllib.parse

raw = sys.stdin.buffer.read()
secret = os.environ["SECRET"]


def sign(body, key=secret, algorithm=hashlib.sha1):
    to_bytes = lambda value: value if isinstance(value, bytes) else value.encode()
    return hmac.new(to_bytes(key), to_bytes(body), algorithm).hexdigest()


mistakes = {
    "dumps": lambda: sign(json.dumps(json.loads(raw))),
    "dumps_compact": lambda: sign(json.dumps(json.loads(raw), separators=(",", ":"))),
    "dumps_sorted": lambda: sign(json.dumps(json.loads(raw), sort_keys=True)),
    "dumps_sorted_compact": lambda: sign(json.dumps(json.loads(raw), sort_keys=True, separators=(",", ":"))),
    "dumps_unicode": lambda: sign(json.dumps(json.loads(raw), ensure_ascii=False)),
    "dumps_indent": lambda: sign(json.dumps(json.loads(raw), indent=4)),
    "str_of_dict": lambda: sign(str(json.loads(raw))),
    "str_of_bytes": lambda: sign(str(raw)),
    "quoted": lambda: sign(urllib.parse.quote(raw)),
    "latin1": lambda: sign(raw.decode("latin-1")),
    "nfd": lambda: sign(unicodedata.normalize("NFD", raw.decode())),
    "replaced": lambda: sign(raw.decode().encode("ascii", "replace")),
    "secret_from_file": lambda: sign(raw, secret + "\n"),
    "secret_none": lambda: sign(raw, str(os.environ.get("SHARED_SECRT"))),
    "secret_as_base64": lambda: sign(raw, base64.b64encode(secret.encode())),
    "sha256": lambda: sign(raw, algorithm=hashlib.sha256),
    "no_hmac": lambda: hashlib.sha1(secret.encode() + raw).hexdigest(),
    "no_secret": lambda: hashlib.sha1(raw).hexdigest(),
    "no_body": lambda: hashlib.sha1(secret.encode()).hexdigest(),
    "base64_digest": lambda: base64.b64encode(hmac.new(secret.encode(), raw, hashlib.sha1).digest()).decode(),
    "dumps_and_file": lambda: sign(json.dumps(json.loads(raw)), secret + "\n"),
    "right": lambda: sign(raw),
}
print(mistakes[sys.argv[1]]())
