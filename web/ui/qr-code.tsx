import { useMemo } from 'react'
import { encode } from 'uqr'

/** The quiet zone around a QR code, in modules (ISO/IEC 18004, section 6.3.8). */
const QUIET = 4

/** Returns an SVG path of the dark modules of a row, with one rectangle for each run. */
function runsOf(row: readonly boolean[], y: number): string {
  let path = ''
  let start = -1
  for (let x = 0; x <= row.length; x += 1) {
    if (row[x] && start < 0) start = x
    if (!row[x] && start >= 0) {
      path += `M${start} ${y}h${x - start}v1H${start}z`
      start = -1
    }
  }
  return path
}

/** A QR code, dark on white in every theme, because some readers do not accept inverted codes. */
export function QrCode({ text, label, className }: { text: string; label: string; className?: string }) {
  const { size, path } = useMemo(() => {
    const code = encode(text, { ecc: 'M', border: QUIET })
    return { size: code.size, path: code.data.map(runsOf).join('') }
  }, [text])
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className={className}
    >
      <rect width={size} height={size} fill="#ffffff" />
      <path d={path} fill="#0b1512" />
    </svg>
  )
}
