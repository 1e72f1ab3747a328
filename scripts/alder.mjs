// @ts-check
// What every `npm` command of this project goes through. Plain enough to be read by old versions of Node, so that
// those get a sentence and not a syntax error; the rest is imported only after the version is known to do.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major > 20 || (major === 20 && minor >= 19)) {
  void import('./commands.mjs').then(({ run }) => run(process.argv[2] ?? '', process.argv.slice(3)))
} else {
  console.error('Alder needs Node 20.19 or newer to start; this is Node ' + process.versions.node + '.')
  process.exitCode = 1
}
