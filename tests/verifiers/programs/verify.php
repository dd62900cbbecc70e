<?php
// A verifier with one mistake, named by the first argument. Reads the body, prints the digest that it computes.
$raw = file_get_contents('php://stdin');
$secret = getenv('SECRET');
$sign = fn($body, $key = null, $algorithm = 'sha1') => hash_hmac($algorithm, $body, $key ?? $secret);
$mistakes = [
    'encode_array' => fn() => $sign(json_encode(json_decode($raw, true))),
    'encode_object' => fn() => $sign(json_encode(json_decode($raw))),
    'encode_slashes' => fn() => $sign(json_encode(json_decode($raw, true), JSON_UNESCAPED_SLASHES)),
    'encode_pretty' => fn() => $sign(json_encode(json_decode($raw, true), JSON_PRETTY_PRINT)),
    'trimmed_secret' => fn() => $sign($raw, trim($secret, '_wchse')),
    'md5' => fn() => $sign($raw, null, 'md5'),
    'empty_secret' => fn() => $sign($raw, (string) getenv('SHARED_SECRT')),
    'consumed' => fn() => $sign(''),
    'right' => fn() => $sign($raw),
];
echo $mistakes[$argv[1]]();
