import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** Compresses each text file at the highest level, so that the server does not compress it again for each request. */
export function compressAll(folder: string): void {
  for (const name of readdirSync(folder).filter((file) => /\.(js|css|svg)$/.test(file))) {
    const content = readFileSync(join(folder, name))
    const options = { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(content, options))
    // Browsers accept Brotli only over HTTPS, so there is a gzip version too.
    writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }))
  }
}
