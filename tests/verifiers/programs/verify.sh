# A verifier with one mistake, named by the first argument. Reads the body, prints the digest that it computes.
hmac() { openssl dgst -sha1 -hmac "$1" | sed 's/.*= //'; }
case "$1" in
  echo) body=$(cat); echo "$body" | hmac "$SECRET" ;;
  crlf) { cat; printf '\r\n'; } | hmac "$SECRET" ;;
  byte_order_mark) { printf '\357\273\277'; cat; } | hmac "$SECRET" ;;
  secret_with_space) hmac "$SECRET " ;;
  right) hmac "$SECRET" ;;
esac
