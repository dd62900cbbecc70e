/** Runs the snippets that verify X-Signature in the languages that are installed. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { VERIFY_SNIPPETS, type VerifyLanguage } from '../../src/renderer/message/verify-snippets.ts';

interface Program {
  /** Answers without an error where the language is installed. */
  readonly probe: readonly [string, ...string[]];
  readonly file: string;
  /** The snippet as a program that reads the body from standard input, and prints true or false. */
  readonly around: (snippet: string) => string;
  readonly compile?: readonly [string, ...string[]];
  readonly run: readonly [string, ...string[]];
}

const PROGRAMS: Readonly<Record<VerifyLanguage, Program>> = {
  'Node.js': {
    probe: ['node', '--version'],
    file: 'verify.mjs',
    around: (code) =>
      `import { readFileSync } from 'node:fs';\n${code}\nconsole.log(isSigned(readFileSync(0), process.env.SIGNATURE, process.env.SECRET));`,
    run: ['node', 'verify.mjs'],
  },
  Python: {
    probe: ['python3', '--version'],
    file: 'verify.py',
    around: (code) =>
      `import os, sys\n${code}\nprint(str(is_signed(sys.stdin.buffer.read(), os.environ["SIGNATURE"], os.environ["SECRET"])).lower())`,
    run: ['python3', 'verify.py'],
  },
  Go: {
    probe: ['go', 'version'],
    file: 'verify.go',
    around: (code) =>
      `package main\n\nimport (\n"fmt"\n"io"\n"os"\n)\n${code}\nfunc main() {\nbody, _ := io.ReadAll(os.Stdin)\nfmt.Println(isSigned(body, os.Getenv("SIGNATURE"), os.Getenv("SECRET")))\n}`,
    compile: ['go', 'build', '-o', 'verify-go', 'verify.go'],
    run: ['./verify-go'],
  },
  Ruby: {
    probe: ['ruby', '-ropenssl', '-e', ''],
    file: 'verify.rb',
    around: (code) => `${code}\nputs signed?($stdin.binmode.read, ENV["SIGNATURE"], ENV["SECRET"])`,
    run: ['ruby', 'verify.rb'],
  },
  PHP: {
    probe: ['php', '--version'],
    file: 'verify.php',
    around: (code) =>
      `<?php\n${code}\necho isSigned(file_get_contents('php://stdin'), getenv('SIGNATURE'), getenv('SECRET')) ? 'true' : 'false';`,
    run: ['php', 'verify.php'],
  },
  Java: {
    probe: ['javac', '-version'],
    file: 'Main.java',
    around: (code) =>
      `${code}\nclass Main {\npublic static void main(String[] args) throws Exception {\nSystem.out.println(Signature.isSigned(System.in.readAllBytes(), System.getenv("SIGNATURE"), System.getenv("SECRET")));\n}\n}`,
    compile: ['javac', 'Main.java'],
    run: ['java', '-cp', '.', 'Main'],
  },
  'C#': {
    probe: ['mcs', '--version'],
    file: 'Verify.cs',
    around: (code) =>
      `${code}\nstatic class Program {\nstatic void Main() {\nvar body = new System.IO.MemoryStream();\nConsole.OpenStandardInput().CopyTo(body);\nvar isSigned = Signature.IsSigned(body.ToArray(), Environment.GetEnvironmentVariable("SIGNATURE"), Environment.GetEnvironmentVariable("SECRET"));\nConsole.WriteLine(isSigned ? "true" : "false");\n}\n}`,
    compile: ['mcs', '-out:verify.exe', 'Verify.cs'],
    run: ['mono', 'verify.exe'],
  },
  Shell: {
    probe: ['openssl', 'version'],
    file: 'verify.sh',
    around: (code) => `cat > body.bin\n${code} && echo true || echo false`,
    run: ['bash', 'verify.sh'],
  },
};

/** Whether the snippet takes a body and a header; null when the language is not installed. */
export function snippetIn(
  language: VerifyLanguage,
  folder: string,
): ((body: Uint8Array, header: string, secret: string) => string) | null {
  const { probe, file, around, compile, run } = PROGRAMS[language];
  if (spawnSync(probe[0], probe.slice(1), { stdio: 'ignore' }).status !== 0) return null;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, file), around(VERIFY_SNIPPETS[language]));
  const env = { ...process.env, GOCACHE: join(folder, 'go'), GOFLAGS: '-mod=mod', LC_ALL: 'C.UTF-8' };
  if (compile !== undefined) execFileSync(compile[0], compile.slice(1), { cwd: folder, env });
  return (body, header, secret) =>
    execFileSync(run[0], run.slice(1), {
      cwd: folder,
      input: body,
      env: { ...env, SIGNATURE: header, SECRET: secret },
    })
      .toString()
      .trim();
}
