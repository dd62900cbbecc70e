// A verifier with one mistake, named by the first argument. Reads the body, prints the digest that it computes.
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"os"
)

func sign(algorithm func() hash.Hash, key string, body []byte) []byte {
	mac := hmac.New(algorithm, []byte(key))
	mac.Write(body)
	return mac.Sum(nil)
}

func main() {
	raw, _ := io.ReadAll(os.Stdin)
	secret := os.Getenv("SECRET")
	var parsed map[string]any
	_ = json.Unmarshal(raw, &parsed)
	var marshalled, encoded bytes.Buffer
	text, _ := json.Marshal(parsed)
	marshalled.Write(text)
	_ = json.NewEncoder(&encoded).Encode(parsed)
	indented, _ := json.MarshalIndent(parsed, "", "  ")
	message, _ := json.Marshal(json.RawMessage(raw))
	plain := func(key string, body []byte) string { return hex.EncodeToString(sign(sha1.New, key, body)) }
	mistakes := map[string]func() string{
		"marshal":        func() string { return plain(secret, marshalled.Bytes()) },
		"encoder":        func() string { return plain(secret, encoded.Bytes()) },
		"marshal_indent": func() string { return plain(secret, indented) },
		"raw_message":    func() string { return plain(secret, message) },
		"sha512":         func() string { return hex.EncodeToString(sign(sha512.New, secret, raw)) },
		"hex_body":       func() string { return plain(secret, []byte(hex.EncodeToString(raw))) },
		"base64_of_hex":  func() string { return base64.StdEncoding.EncodeToString([]byte(plain(secret, raw))) },
		"right":          func() string { return plain(secret, raw) },
	}
	fmt.Print(mistakes[os.Args[1]]())
}
