/**
 * How a receiver checks X-Signature, in eight languages: HMAC-SHA1 over the bytes as they arrived, and a comparison that
 * takes the same time whatever the digests. `npm run verifiers` runs those whose language is installed.
 */

export const VERIFY_LANGUAGES = ['Node.js', 'Python', 'Go', 'Ruby', 'PHP', 'Java', 'C#', 'Shell'] as const;
export type VerifyLanguage = (typeof VERIFY_LANGUAGES)[number];

const NODE = `import { createHmac, timingSafeEqual } from 'node:crypto';

// body: the bytes as they arrived. In Express: express.raw({ type: '*/*' })
export function isSigned(body, header, secret) {
  const digest = createHmac('sha1', secret).update(body).digest();
  const sent = Buffer.from(header ?? '', 'hex');
  return sent.length === digest.length && timingSafeEqual(sent, digest);
}`;

const PYTHON = `import hashlib
import hmac

# body: the bytes as they arrived. In Flask: request.get_data()
def is_signed(body: bytes, header: str, secret: str) -> bool:
    digest = hmac.new(secret.encode(), body, hashlib.sha1).hexdigest()
    return hmac.compare_digest(digest.encode(), header.encode())`;

const GO = `import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/hex"
)

// body: the bytes as they arrived, from io.ReadAll(r.Body)
func isSigned(body []byte, header, secret string) bool {
	mac := hmac.New(sha1.New, []byte(secret))
	mac.Write(body)
	sent, err := hex.DecodeString(header)
	return err == nil && hmac.Equal(sent, mac.Sum(nil))
}`;

const RUBY = `require "openssl"

# body: the bytes as they arrived. In Rack and Rails: request.body.read
def signed?(body, header, secret)
  digest = OpenSSL::HMAC.hexdigest("SHA1", secret, body)
  header.to_s.bytesize == digest.bytesize && OpenSSL.fixed_length_secure_compare(digest, header)
end`;

const PHP = `// $body: the bytes as they arrived, from file_get_contents('php://input')
function isSigned(string $body, string $header, string $secret): bool {
    return hash_equals(hash_hmac('sha1', $body, $secret), $header);
}`;

const JAVA = `import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

class Signature {
  // body: the bytes as they arrived. In Spring: @RequestBody byte[] body
  static boolean isSigned(byte[] body, String header, String secret) throws Exception {
    var mac = Mac.getInstance("HmacSHA1");
    mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA1"));
    var digest = HexFormat.of().formatHex(mac.doFinal(body));
    return MessageDigest.isEqual(digest.getBytes(UTF_8), header.getBytes(UTF_8));
  }
}`;

const CSHARP = `using System;
using System.Security.Cryptography;
using System.Text;

static class Signature {
  // body: the bytes as they arrived, copied from Request.Body before any binding
  public static bool IsSigned(byte[] body, string header, string secret) {
    using (var mac = new HMACSHA1(Encoding.UTF8.GetBytes(secret))) {
      var digest = BitConverter.ToString(mac.ComputeHash(body)).Replace("-", "").ToLowerInvariant();
      return CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(digest), Encoding.UTF8.GetBytes(header));
    }
  }
}`;

const SHELL = `# body.bin: the bytes as they arrived. SECRET and SIGNATURE, the header, are variables
digest=$(openssl dgst -sha1 -hmac "$SECRET" -r < body.bin | cut -d ' ' -f 1)
[ "$digest" = "$SIGNATURE" ]`;

export const VERIFY_SNIPPETS: Readonly<Record<VerifyLanguage, string>> = {
  'Node.js': NODE,
  Python: PYTHON,
  Go: GO,
  Ruby: RUBY,
  PHP: PHP,
  Java: JAVA,
  'C#': CSHARP,
  Shell: SHELL,
};
