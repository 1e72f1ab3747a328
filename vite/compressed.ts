import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** Compresses each text once, as hard as it goes, so that the server need not do it for each request. */
export function compressAll(folder: string): void {
  for (const name of readdirSync(folder).filter((file) => /\.(js|css|svg)$/.test(file))) {
    const content = readFileSync(join(folder, name))
    const options = { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(content, options))
    // Browsers take brotli only where nobody can listen in.
    writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }))
  }
}
