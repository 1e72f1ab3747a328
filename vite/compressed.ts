import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

/** What is text. */
const COMPRESSED = /\.(js|css|svg)$/

/** Compresses each file once, as hard as it goes, so that the server need not do it for each request. */
export const compressed = (): Plugin => {
  let folder = ''
  return {
    name: 'compressed',
    apply: 'build',
    configResolved(config) {
      folder = join(config.root, config.build.outDir, config.build.assetsDir)
    },
    writeBundle() {
      for (const name of readdirSync(folder).filter((file) => COMPRESSED.test(file))) {
        const content = readFileSync(join(folder, name))
        const options = { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }
        writeFileSync(join(folder, `${name}.br`), brotliCompressSync(content, options))
        // Browsers take brotli only where nobody can listen in.
        writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }))
      }
    },
  }
}
