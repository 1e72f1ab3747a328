import { ArrowDown, ArrowUp } from 'lucide-react'
import { changeText } from '#web/i18n/formats.ts'
import { cx } from '#web/ui/cx.ts'
import { Said } from '#web/ui/money.tsx'

/** The look of what went up or down: the sign and the arrow say it too. */
export const changeLook = (amount: number): string =>
  amount > 0 ? 'text-success' : amount < 0 ? 'text-danger' : 'text-ink-soft'

/** An arrow up or down; nothing for no change. */
export function ChangeArrow({ amount }: { amount: number }) {
  if (amount === 0) return null
  const Icon = amount > 0 ? ArrowUp : ArrowDown
  return <Icon aria-hidden className="me-0.5 inline size-[0.9em] align-[-0.1em]" strokeWidth={2.5} />
}

/** How a price has changed, in hundredths of a per cent. */
export function Change({ bps, className }: { bps: number; className?: string }) {
  return (
    <bdi dir="ltr" className={cx('tabular font-medium whitespace-nowrap', changeLook(bps), className)}>
      <ChangeArrow amount={bps} />
      <Said text={changeText(bps)} />
    </bdi>
  )
}
