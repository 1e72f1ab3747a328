import { ArrowDown, ArrowUp } from 'lucide-react'
import { changeText } from '#web/i18n/formats.ts'
import { cx } from '#web/ui/cx.ts'
import { SpokenFigure } from '#web/ui/money.tsx'

/** Returns the color of a gain or loss. The sign and the arrow show the direction too. */
export const gainLossColor = (amount: number): string =>
  amount > 0 ? 'text-success' : amount < 0 ? 'text-danger' : 'text-ink-soft'

/** Shows an arrow up or down, or nothing without a change. */
export function ChangeArrow({ amount }: { amount: number }) {
  if (amount === 0) return null
  const Icon = amount > 0 ? ArrowUp : ArrowDown
  return <Icon aria-hidden className="me-0.5 inline size-[0.9em] align-[-0.1em]" strokeWidth={2.5} />
}

/** Shows the change of a price. `bps` is in hundredths of a percent. */
export function PriceChange({ bps, className }: { bps: number; className?: string }) {
  return (
    <bdi dir="ltr" className={cx('tabular font-medium whitespace-nowrap', gainLossColor(bps), className)}>
      <ChangeArrow amount={bps} />
      <SpokenFigure text={changeText(bps)} />
    </bdi>
  )
}
