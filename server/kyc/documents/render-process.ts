import { EXIT, NotRendered } from '#server/kyc/documents/rendering.ts'

/**
 * A process of its own for one file: the file comes in on stdin, the JPEG made of it goes out on stdout, and the exit
 * code says how it went. Nothing that a hostile file does here reaches the bank or another customer's file. The limits
 * that the operating system keeps are set in renderer.ts.
 */

/** What decoding may take in all, in bytes. */
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
  const { renderImage } = await import('#server/kyc/documents/render-image.ts')
  return renderImage(bytes, mediaType === 'image/png' ? 'png' : 'jpeg')
}

try {
  const pieces = await Array.fromAsync(process.stdin as AsyncIterable<Buffer>)
  const jpeg = await render(process.argv[2], Buffer.concat(pieces))
  process.stdout.write(jpeg, () => process.exit(EXIT.rendered))
} catch (error) {
  process.exit(error instanceof NotRendered ? error.exitCode : EXIT.unreadable)
}
