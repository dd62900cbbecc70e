<?php
// A verifier with many mistakes. For each line, a mistake and a body in base64, it prints the digest that it computes.
$secret = getenv('SECRET');
$sign = fn($body, $key = null, $algorithm = 'sha1') => hash_hmac($algorithm, $body, $key ?? $secret);
$mistakes = [
    'encode_array' => fn($raw) => $sign(json_encode(json_decode($raw, true))),
    'encode_object' => fn($raw) => $sign(json_encode(json_decode($raw))),
    'encode_slashes' => fn($raw) => $sign(json_encode(json_decode($raw, true), JSON_UNESCAPED_SLASHES)),
    'encode_pretty' => fn($raw) => $sign(json_encode(json_decode($raw, true), JSON_PRETTY_PRINT)),
    'trimmed_secret' => fn($raw) => $sign($raw, trim($secret, '_wchse')),
    'md5' => fn($raw) => $sign($raw, null, 'md5'),
    'empty_secret' => fn($raw) => $sign($raw, (string) getenv('SHARED_SECRT')),
    'consumed' => fn() => $sign(''),
    'right' => fn($raw) => $sign($raw),
];
while (($line = fgets(STDIN)) !== false) {
    [$mistake, $body] = explode(' ', trim($line));
    echo $mistakes[$mistake](base64_decode($body)), "\n";
}
