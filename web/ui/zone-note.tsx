import { Trans } from '@lingui/react/macro'
import { bankZoneName } from '#web/i18n/dates.ts'
import { useNow } from '#web/lib/now.ts'
import { cx } from '#web/ui/cx.ts'

/** A note that dates are in the bank's time zone. It is shown only if the local time of the device differs. */
export function ZoneNote({ className }: { className?: string }) {
  const zone = bankZoneName(new Date(useNow()))
  if (zone === null) return null
  return (
    <p className={cx('text-sm text-pretty text-ink-soft', className)}>
      <Trans comment="{zone} is the name of a time zone, such as Eastern Time">Dates are in {zone}.</Trans>
    </p>
  )
}
