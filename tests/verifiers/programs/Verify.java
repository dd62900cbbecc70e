// A verifier with one mistake, named by the first argument. Reads the body, prints the digest that it computes.
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Verify {
  static String sign(byte[] body, byte[] key) throws Exception {
    Mac mac = Mac.getInstance("HmacSHA1");
    mac.init(new SecretKeySpec(key, "HmacSHA1"));
    return HexFormat.of().formatHex(mac.doFinal(body));
  }

  public static void main(String[] arguments) throws Exception {
    byte[] raw = System.in.readAllBytes();
    String secret = System.getenv("SECRET");
    byte[] key = secret.getBytes(StandardCharsets.UTF_8);
    String text = new String(raw, StandardCharsets.UTF_8);
    System.out.print(
        switch (arguments[0]) {
          case "latin1_decoded" -> sign(new String(raw, StandardCharsets.ISO_8859_1).getBytes(StandardCharsets.UTF_8), key);
          case "latin1_encoded" -> sign(text.getBytes(StandardCharsets.ISO_8859_1), key);
          case "utf16" -> sign(text.getBytes(StandardCharsets.UTF_16LE), key);
          case "utf16_secret" -> sign(raw, secret.getBytes(StandardCharsets.UTF_16LE));
          default -> sign(raw, key);
        });
  }
}
