// @ts-check
// Every `npm` command of this project starts here. This file uses only old syntax, so that an old version of Node prints a
// sentence instead of a syntax error. The rest is imported only after the check of the version.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major > 20 || (major === 20 && minor >= 19)) {
  void import('./commands.mjs').then(({ run }) => run(process.argv[2] ?? '', process.argv.slice(3)))
} else {
  console.error('Alder needs Node 20.19 or newer to start; this is Node ' + process.versions.node + '.')
  process.exitCode = 1
}
