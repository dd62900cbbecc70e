// A verifier with many mistakes. For each line, a mistake and a body in base64, it prints the digest that it computes.
using System;
using System.IO;
using System.Security.Cryptography;
using System.Text;

static class Verify {
  static byte[] Sign(byte[] body, byte[] key) {
    using (var mac = new HMACSHA1(key)) return mac.ComputeHash(body);
  }

  static string Hex(byte[] bytes) {
    return BitConverter.ToString(bytes).Replace("-", "").ToLowerInvariant();
  }

  static byte[] Written(string text) {
    using (var stream = new MemoryStream()) {
      using (var writer = new StreamWriter(stream, Encoding.UTF8)) writer.Write(text);
      return stream.ToArray();
    }
  }

  static string Digest(string mistake, byte[] raw, string secret) {
    var key = Encoding.UTF8.GetBytes(secret);
    var text = Encoding.UTF8.GetString(raw);
    switch (mistake) {
      case "dashes": return BitConverter.ToString(Sign(raw, key));
      case "base64_digest": return Convert.ToBase64String(Sign(raw, key));
      case "ascii": return Hex(Sign(Encoding.ASCII.GetBytes(text), key));
      case "stream_writer": return Hex(Sign(Written(text), key));
      case "unicode_secret": return Hex(Sign(raw, Encoding.Unicode.GetBytes(secret)));
      default: return Hex(Sign(raw, key));
    }
  }

  static void Main() {
    string line;
    while ((line = Console.ReadLine()) != null) {
      var question = line.Split(' ');
      var raw = Convert.FromBase64String(question[1]);
      Console.WriteLine(Digest(question[0], raw, Environment.GetEnvironmentVariable("SECRET")));
    }
  }
}
