// A verifier with many mistakes. For each line, a mistake and a body in base64, it prints the digest that it computes.
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Verify {
  static String sign(byte[] body, byte[] key) throws Exception {
    Mac mac = Mac.getInstance("HmacSHA1");
    mac.init(new SecretKeySpec(key, "HmacSHA1"));
    return HexFormat.of().formatHex(mac.doFinal(body));
  }

  static String digest(String mistake, byte[] raw, String secret) throws Exception {
    byte[] key = secret.getBytes(StandardCharsets.UTF_8);
    String text = new String(raw, StandardCharsets.UTF_8);
    return switch (mistake) {
      case "latin1_decoded" -> sign(new String(raw, StandardCharsets.ISO_8859_1).getBytes(StandardCharsets.UTF_8), key);
      case "latin1_encoded" -> sign(text.getBytes(StandardCharsets.ISO_8859_1), key);
      case "utf16" -> sign(text.getBytes(StandardCharsets.UTF_16LE), key);
      case "utf16_secret" -> sign(raw, secret.getBytes(StandardCharsets.UTF_16LE));
      default -> sign(raw, key);
    };
  }

  public static void main(String[] arguments) throws Exception {
    for (String line : new String(System.in.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
      String[] question = line.split(" ");
      byte[] raw = Base64.getDecoder().decode(question[1]);
      System.out.println(digest(question[0], raw, System.getenv("SECRET")));
    }
  }
}
