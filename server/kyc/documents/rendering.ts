/**
 * The exit codes of the process that renders one file (render-process.ts). Any other code means that it crashed on the file.
 */
export const EXIT = { rendered: 0, unreadable: 10, locked: 11, tooLong: 12 } as const

/** The reason why a file was not rendered. Thrown only within that process. */
export class NotRendered extends Error {
  override readonly name = 'NotRendered'
  readonly exitCode: number
  constructor(why: Exclude<keyof typeof EXIT, 'rendered'>, options?: ErrorOptions) {
    super(why, options)
    this.exitCode = EXIT[why]
  }
}

/** The longer side of a stored picture or page, in pixels. It gives more than 200 dpi on A4, enough to read small print. */
export const KEPT_SIDE = 2500

/**
 * Colored fine print needs full color resolution. Optimized coding is off because it would hold the whole picture in memory.
 */
export const JPEG = { quality: 85, chromaSubsampling: '4:4:4', optimiseCoding: false } as const
