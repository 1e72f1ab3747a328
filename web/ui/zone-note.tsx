import { Trans } from '@lingui/react/macro'
import { otherZone } from '#web/i18n/dates.ts'
import { useNow } from '#web/lib/now.ts'
import { cx } from '#web/ui/cx.ts'

/** Says whose days are meant, to whoever reads in another zone than the bank's. */
export function ZoneNote({ className }: { className?: string }) {
  const zone = otherZone(new Date(useNow()))
  if (zone === null) return null
  return (
    <p className={cx('text-sm text-pretty text-ink-soft', className)}>
      <Trans comment="{zone} is the name of a time zone: Eastern Time">Days and months are counted in {zone}.</Trans>
    </p>
  )
}
