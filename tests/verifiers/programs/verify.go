// A verifier with many mistakes. For each line, a mistake and a body in base64, it prints the digest that it computes.
package main

import (
	"bufio"
	"bytes"
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"os"
	"strings"
)

func sign(algorithm func() hash.Hash, key string, body []byte) []byte {
	mac := hmac.New(algorithm, []byte(key))
	mac.Write(body)
	return mac.Sum(nil)
}

func digest(mistake string, raw []byte, secret string) string {
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
	return mistakes[mistake]()
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		mistake, body, _ := strings.Cut(lines.Text(), " ")
		raw, _ := base64.StdEncoding.DecodeString(body)
		fmt.Println(digest(mistake, raw, os.Getenv("SECRET")))
	}
}
