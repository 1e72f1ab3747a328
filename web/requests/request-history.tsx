import { useLingui } from '@lingui/react/macro'
import type { Asset } from '#contract/money.ts'
import type { RequestEvent } from '#contract/requests.ts'
import { dateAndTime } from '#web/i18n/dates.ts'
import { money } from '#web/i18n/formats.ts'
import { cx } from '#web/ui/cx.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'

type RequestHistoryProps = { history: readonly RequestEvent[] | null; asset: Asset }

/** Shows the events of a request, the latest first. `history` is null while it loads. */
export function RequestHistory({ history, asset }: RequestHistoryProps) {
  const { t } = useLingui()
  return (
    <section>
      <h3 className="pb-2 text-sm font-medium text-ink-soft">
        {t({ message: 'History', comment: 'The events of a money request' })}
      </h3>
      <ol className="flex flex-col gap-3">
        {history ? (
          history.toReversed().map((event, index) => (
            <li key={event.id} className="flex gap-3">
              <Dot latest={index === 0} />
              <span className="min-w-0">
                <span className="block leading-snug font-medium [overflow-wrap:anywhere]">{textOf(event)}</span>
                <time dateTime={event.at} className="block text-sm text-ink-soft">
                  {dateAndTime(event.at)}
                </time>
              </span>
            </li>
          ))
        ) : (
          <li aria-hidden className="flex gap-3">
            <Dot latest />
            <span>
              <Skeleton line className="w-28" />
              <Skeleton line className="w-40 text-sm" />
            </span>
          </li>
        )}
      </ol>
    </section>
  )

  function textOf({ kind, name, amountMinor }: RequestEvent): string {
    const payer = name ?? ''
    const amount = amountMinor === null ? '' : money(amountMinor, asset)
    switch (kind) {
      case 'asked':
        return t({ message: 'Requested', context: 'money request' })
      case 'reminded':
        return t({ message: 'Reminder sent', comment: 'The subject is a money request' })
      case 'paid':
        return t({ message: `${payer} paid ${amount}`, comment: 'The subject is a money request' })
      case 'declined':
        return t({ message: 'Declined', context: 'money request' })
      case 'cancelled':
        return t({ message: 'Canceled', context: 'money request' })
      case 'expired':
        return t({ message: 'Expired', context: 'money request' })
    }
  }
}

function Dot({ latest }: { latest: boolean }) {
  return (
    <span aria-hidden className="flex h-[1.375em] items-center">
      <span className={cx('size-2.5 rounded-full', latest ? 'bg-primary' : 'bg-line-strong')} />
    </span>
  )
}
