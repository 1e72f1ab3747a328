/**
 * What the process that renders one file (render-process.ts) says with its exit code; anything else means that it broke
 * down over the file.
 */
export const EXIT = { rendered: 0, unreadable: 10, locked: 11, tooLong: 12 } as const

/** Why a file was not rendered. Thrown inside that process alone. */
export class NotRendered extends Error {
  override readonly name = 'NotRendered'
  readonly exitCode: number
  constructor(why: Exclude<keyof typeof EXIT, 'rendered'>, options?: ErrorOptions) {
    super(why, options)
    this.exitCode = EXIT[why]
  }
}

/** The longer side of a picture or page as it is kept, in pixels: 200 dpi on A4, at which small print is read. */
export const KEPT_SIDE = 2500

/** Fine print in colour needs its colour as sharp as its light; finding the best code would hold all of it in memory. */
export const JPEG = { quality: 85, chromaSubsampling: '4:4:4', optimiseCoding: false } as const
