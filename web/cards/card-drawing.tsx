import '#web/cards/card-art.css'
import type { CardLook } from '#contract/card-terms.ts'
import { cx } from '#web/ui/cx.ts'
import { Rings } from '#web/ui/rings.tsx'

/** Draws a card's design. The main card has no design of its own and shows the bank's rings. */
export function CardDrawing({ look, small = false }: { look: CardLook | null; small?: boolean }) {
  const design = look?.design ?? 'rings'
  if (design === 'rings')
    return (
      <Rings
        className={cx(
          'absolute',
          small ? '-end-4 -top-5 size-16 opacity-35' : '-end-20 -top-24 size-72 opacity-[0.15]',
        )}
      />
    )
  return <span className={`card-${design} rtl:-scale-x-100`} />
}
