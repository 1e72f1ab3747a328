import type { CSSProperties, ReactNode } from 'react'
import { cx } from '#web/ui/cx.ts'

type Place = { x: number; y: number; turn?: number; size?: number }

function at({ x, y, turn = 0, size = 1 }: Place): string {
  return `translate(${x} ${y}) rotate(${turn}) scale(${size})`
}

/** One picture. What is drawn past the edges of its square fills whatever room the poster has. */
export function Picture({ children }: { children: ReactNode }) {
  return (
    <svg aria-hidden viewBox="0 0 320 360" fill="none" className="absolute inset-0 size-full overflow-visible">
      {children}
    </svg>
  )
}

type MotionProps = { kind: 'pop' | 'grow' | 'near' | 'far'; turn?: number; children: ReactNode }

/** Moves what it holds when its slide arrives (`pop` and `grow`, in turn) or while it is drawn past. */
export function Motion({ kind, turn = 0, children }: MotionProps) {
  return (
    <g className={`art-${kind}`} style={{ '--turn': turn } as CSSProperties}>
      {children}
    </g>
  )
}

/** The ground that the things of a picture stand on, far past both sides. */
export function Ground({ y, near = false }: { y: number; near?: boolean }) {
  return (
    <path
      d={`M-500 ${y + 22}C-330 ${y - 26}-150 ${y - 10} 10 ${y + 8}S250 ${y + 34} 400 ${y + 4}S680 ${y - 6} 820 ${y + 18}V1200H-500Z`}
      className={near ? 'fill-(--poster-ground-near)' : 'fill-(--poster-ground)'}
    />
  )
}

/** Light behind what a picture is about. */
export function Glow({ x, y, size }: { x: number; y: number; size: number }) {
  return (
    <>
      <circle cx={x} cy={y} r={size} className="fill-(--poster-glow)" />
      <circle cx={x} cy={y} r={size * 0.76} className="fill-(--poster-glow-near)" />
    </>
  )
}

const LEAF_TONES = {
  bright: 'fill-(--poster-primary)',
  deep: 'fill-(--poster-primary-mid)',
} as const

type LeafProps = Place & { tone?: keyof typeof LEAF_TONES }

/** An alder's leaf: widest above its middle, with a notch where others have a point. It grows up from x and y. */
export function Leaf({ tone = 'bright', ...place }: LeafProps) {
  return (
    <g transform={at(place)}>
      <path
        d="M0 0C-5-7-25-17-25-39C-25-53-15-62-5-62Q-1-62 0-60Q1-62 5-62C15-62 25-53 25-39C25-17 5-7 0 0Z"
        className={LEAF_TONES[tone]}
      />
      <path d="M0 0V-60Q1-62 5-62C15-62 25-53 25-39C25-17 5-7 0 0Z" className="fill-brand-ink opacity-[0.13]" />
      <path
        d="M0 7V-52M0-14Q-8-18-14-27M0-26Q-9-30-17-40M0-38Q-7-42-12-51M0-14Q8-18 14-27M0-26Q9-30 17-40M0-38Q7-42 12-51"
        strokeWidth={1.5}
        strokeLinecap="round"
        className="stroke-brand-ink opacity-[0.28]"
      />
    </g>
  )
}

/** The cone that hangs from an alder's twigs through the winter. */
export function Cone(place: Place) {
  return (
    <g transform={at(place)}>
      <path d="M0-9V2" strokeWidth={2} strokeLinecap="round" className="stroke-(--poster-orange-mid)" />
      <path d="M0 0C8 0 10 8 10 14C10 23 5 29 0 29S-10 23-10 14C-10 8-8 0 0 0Z" className="fill-(--poster-orange)" />
      <path
        d="M-9 9Q-4 15 0 9Q4 15 9 9M-10 17Q-5 23 0 17Q5 23 10 17M-7 24Q-3 29 0 24Q3 29 7 24"
        strokeWidth={1.4}
        strokeLinecap="round"
        className="stroke-brand-ink opacity-40"
      />
    </g>
  )
}

/** A dollar. */
export function Coin(place: Place) {
  return (
    <g transform={at(place)}>
      <circle cy={3} r={22} className="fill-(--poster-orange-mid)" />
      <circle r={22} className="fill-(--poster-orange)" />
      <circle r={16.5} strokeWidth={1.6} className="stroke-brand-ink opacity-30" />
      <path
        d="M6.5-5C5.500-9.500-6.500-9.500-6.500-4C-6.500 1 6.500-1 6.500 4.500C6.500 9.500-5.500 9.500-6.500 5M0-11V11"
        strokeWidth={2.6}
        strokeLinecap="round"
        className="stroke-brand-ink opacity-60"
      />
    </g>
  )
}

/** A star of four points: what is worked out, not counted. */
export function Sparkle({ className, ...place }: Place & { className: string }) {
  return (
    <path
      transform={at(place)}
      d="M0-14C1.500-5 5-1.500 14 0C5 1.500 1.500 5 0 14C-1.500 5-5 1.500-14 0C-5-1.500-1.500-5 0-14Z"
      className={className}
    />
  )
}

/** The rings of Alder's mark around their copper heart, 60 wide. */
export function Mark({ className, ...place }: Place & { className: string }) {
  return (
    <g transform={at(place)}>
      <path
        d="M30 1C30 12 25 21 18 26C10 31-3 32-13 27C-23 22-30 11-30 1C-30-10-24-21-14-26C-4-31 10-30 18-25C26-19 30-10 30 1Z"
        strokeWidth={4.2}
        className={className}
      />
      <path
        d="M17 3C17 9 14 15 9 18C4 21-5 21-11 18C-17 15-21 9-21 3C-21-4-17-11-11-14C-5-17 4-16 9-13C14-9 17-3 17 3Z"
        strokeWidth={3.4}
        className={className}
      />
      <circle cx={-3} cy={4} r={6.5} className="fill-(--poster-orange)" />
    </g>
  )
}

/** A pane of the app: paper with a soft shadow under it. */
export function Pane({
  width,
  height,
  radius = 16,
  className,
}: {
  width: number
  height: number
  radius?: number
  className?: string
}) {
  return (
    <>
      <rect y={7} width={width} height={height} rx={radius} className="fill-(--poster-shade)" />
      <rect
        width={width}
        height={height}
        rx={radius}
        strokeWidth={1}
        className={cx('stroke-line', className ?? 'fill-(--poster-pane)')}
      />
    </>
  )
}

/** Stands for a line of text. */
export function Line({
  x,
  y,
  width,
  className = 'stroke-line-strong opacity-40',
}: {
  x: number
  y: number
  width: number
  className?: string
}) {
  return <path d={`M${x} ${y}h${width}`} strokeWidth={6} strokeLinecap="round" className={className} />
}
