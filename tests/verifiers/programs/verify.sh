# A verifier with many mistakes. For each line, a mistake and a body in base64, it prints the digest that it computes.
hmac() { openssl dgst -sha1 -hmac "$1" | sed 's/.*= //'; }
digest() {
  case "$1" in
    echo) body=$(cat); echo "$body" | hmac "$SECRET" ;;
    crlf) { cat; printf '\r\n'; } | hmac "$SECRET" ;;
    byte_order_mark) { printf '\357\273\277'; cat; } | hmac "$SECRET" ;;
    secret_with_space) hmac "$SECRET " ;;
    right) hmac "$SECRET" ;;
  esac
}
while read -r mistake body; do
  printf %s "$body" | openssl base64 -d -A | digest "$mistake"
done
