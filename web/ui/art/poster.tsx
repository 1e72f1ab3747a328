import '#web/ui/art/poster.css'
import { useOnDemand } from '#web/lib/on-demand.ts'
import { cx } from '#web/ui/cx.ts'

/** The pictures, each fetched where it is shown, and the class that colours the poster behind it. */
const PICTURES = {
  welcome: { load: async () => (await import('#web/ui/art/welcome.svg?raw')).default, poster: 'poster-brand' },
  secure: { load: async () => (await import('#web/ui/art/secure.svg?raw')).default, poster: 'poster-orange' },
  insights: { load: async () => (await import('#web/ui/art/insights.svg?raw')).default, poster: 'poster-blue' },
  instant: { load: async () => (await import('#web/ui/art/instant.svg?raw')).default, poster: 'poster-primary' },
  lost: { load: async () => (await import('#web/ui/art/lost.svg?raw')).default, poster: 'poster-primary' },
} as const

export type Picture = keyof typeof PICTURES

type PosterProps = {
  of: Picture
  /** As large as at the top of a notice unless told. */
  className?: string
}

const IN_NOTICE = 'mb-5 h-40 w-full max-w-64 rounded-card'

/** One of the pictures that the app greets with. Its room is there before it is; where it does not come, so is its colour. */
export function Poster({ of: picture, className = IN_NOTICE }: PosterProps) {
  const { load, poster } = PICTURES[picture]
  const art = useOnDemand(load, true)
  return (
    <div
      aria-hidden
      data-picture={picture}
      className={cx('poster relative isolate overflow-hidden', poster, className)}
      {...(art && { dangerouslySetInnerHTML: { __html: art } })}
    />
  )
}
