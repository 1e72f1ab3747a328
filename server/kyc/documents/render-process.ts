import { EXIT, NotRendered } from '#server/kyc/documents/rendering.ts'

/**
 * This script runs as a separate process for one file. It reads the file from stdin, writes the JPEG to stdout and reports the
 * result by its exit code. A hostile file therefore cannot reach the bank or another customer's file. renderer.ts sets the
 * operating system's limits.
 */

/** The memory limit of the whole process, in bytes. */
const MAX_RSS_BYTES = 512 * 1024 * 1024
const LOOK_EVERY_MS = 20

setInterval(() => {
  if (process.memoryUsage.rss() > MAX_RSS_BYTES) process.exit(EXIT.unreadable)
}, LOOK_EVERY_MS).unref()

async function render(mediaType: string | undefined, bytes: Buffer): Promise<Buffer> {
  if (mediaType === 'application/pdf') {
    const { renderPdf } = await import('#server/kyc/documents/render-pdf.ts')
    return renderPdf(bytes)
  }
  const [{ renderImage }, { default: sharp }] = await Promise.all([
    import('#server/kyc/documents/render-image.ts'),
    import('sharp'),
  ])
  // Only these decoders are available, whatever type a file pretends to have.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng'] })
  return renderImage(bytes, mediaType === 'image/png' ? 'png' : 'jpeg')
}

try {
  const pieces = await Array.fromAsync(process.stdin as AsyncIterable<Buffer>)
  const jpeg = await render(process.argv[2], Buffer.concat(pieces))
  process.stdout.write(jpeg, () => process.exit(EXIT.rendered))
} catch (error) {
  process.exit(error instanceof NotRendered ? error.exitCode : EXIT.unreadable)
}
