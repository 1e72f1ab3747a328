import '#web/ui/art/poster.css'
import { useLazy } from '#web/lib/lazy.ts'
import { cx } from '#web/ui/cx.ts'

/** The pictures, each loaded when it is shown, and the class with the color of the poster behind it. */
const PICTURES = {
  welcome: { load: async () => (await import('#web/ui/art/welcome.svg?raw')).default, poster: 'poster-brand' },
  secure: { load: async () => (await import('#web/ui/art/secure.svg?raw')).default, poster: 'poster-orange' },
  insights: { load: async () => (await import('#web/ui/art/insights.svg?raw')).default, poster: 'poster-blue' },
  instant: { load: async () => (await import('#web/ui/art/instant.svg?raw')).default, poster: 'poster-primary' },
  lost: { load: async () => (await import('#web/ui/art/lost.svg?raw')).default, poster: 'poster-primary' },
} as const

export type PosterName = keyof typeof PICTURES

type PosterProps = {
  of: PosterName
  /** The size; by default as at the top of a notice. */
  className?: string
}

const IN_NOTICE = 'mb-5 h-40 w-full max-w-64 rounded-card'

/** A large picture. Its space and its color are there before the picture has loaded, and stay if it fails to load. */
export function Poster({ of: picture, className = IN_NOTICE }: PosterProps) {
  const { load, poster } = PICTURES[picture]
  const art = useLazy(load, true)
  return (
    <div
      aria-hidden
      data-picture={picture}
      className={cx('poster relative isolate overflow-hidden', poster, className)}
      {...(art && { dangerouslySetInnerHTML: { __html: art } })}
    />
  )
}
