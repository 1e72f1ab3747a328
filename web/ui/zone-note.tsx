import { Trans } from '@lingui/react/macro'
import { bankZoneName } from '#web/i18n/dates.ts'
import { useNow } from '#web/lib/now.ts'
import { cx } from '#web/ui/cx.ts'

/** Says that dates are in the bank's time zone, if the device is in another one. */
export function ZoneNote({ className }: { className?: string }) {
  const zone = bankZoneName(new Date(useNow()))
  if (zone === null) return null
  return (
    <p className={cx('text-sm text-pretty text-ink-soft', className)}>
      <Trans comment="{zone} is the name of a time zone, such as Eastern Time">Dates are in {zone}.</Trans>
    </p>
  )
}
