import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Bell, Settings } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Dashboard } from '#contract/accounts.ts'
import { firstNameOf } from '#contract/initials.ts'
import { useBusinessNow } from '#web/accounts/queries.ts'
import { HiddenFigure } from '#web/accounts/shared/hidden-figure.tsx'
import { greeting } from '#web/i18n/dates.ts'
import { precisePercentage } from '#web/i18n/formats.ts'
import { paths } from '#web/lib/paths.ts'
import { unreadText } from '#web/lib/unread-count.ts'
import { IconLink } from '#web/ui/icon-button.tsx'
import { Money } from '#web/ui/money.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

type GreetingProps = {
  data: Dashboard | undefined
  hidden: boolean
  /** Whether the data is still loading. It is false after a failed request. */
  isWaiting?: boolean
  /** Replaces the line about this month's spending. */
  children?: ReactNode
}

/** Shows the screen's title, such as 'Good morning, Maria', and this month's spending so far. */
export function Greeting({ data, hidden, isWaiting = true, children }: GreetingProps) {
  const { t } = useLingui()
  const unread = data?.unreadNotifications ?? 0
  return (
    <header className="ps-5 pe-2.5 pt-2">
      <div className="flex min-h-11 items-center gap-0.5">
        <h1
          tabIndex={-1}
          className="min-w-0 flex-1 text-[min(1.25rem,10vw)] leading-tight rtl:leading-normal font-semibold tracking-tight"
        >
          {data || isWaiting ? <Salutation fullName={data?.customer.fullName} /> : <Trans>Home</Trans>}
        </h1>
        <IconLink
          icon={Bell}
          label={
            unread > 0
              ? plural(unread, { one: 'Notifications, # unread', other: 'Notifications, # unread' })
              : t`Notifications`
          }
          badge={unread > 0 ? unreadText(unread) : undefined}
          to={paths.notifications}
        />
        <IconLink icon={Settings} label={t`Settings`} to={paths.settings} />
      </div>
      {children ? (
        <div className="text-sm text-pretty text-ink-soft">{children}</div>
      ) : (
        (data || isWaiting) && (
          <div className="pe-2.5 text-sm text-pretty text-ink-soft">
            {data ? (
              <Spent account={data.account} hidden={hidden} />
            ) : (
              <>
                <Skeleton line className="w-full" />
                <Skeleton line className="w-40" />
              </>
            )}
          </div>
        )
      )}
    </header>
  )
}

function Salutation({ fullName }: { fullName: string | undefined }) {
  const { t } = useLingui()
  const now = useBusinessNow()
  if (fullName === undefined || !now) {
    return (
      <>
        <span className="sr-only">
          <Trans>Home</Trans>
        </span>
        <Skeleton line className="w-48" />
      </>
    )
  }
  const greetingOfHour = greeting(now)
  const firstName = firstNameOf(fullName)
  return (
    <span className="line-clamp-3">
      {t({ message: `${greetingOfHour}, ${firstName}`, comment: 'Example: Good morning, Sofia' })}
    </span>
  )
}

/** Above this increase, a percentage is less clear than the amount alone, and is left out. */
const MAX_PERCENT = 100

/** Shows this month's spending and compares it with the same days of last month. */
function Spent({ account, hidden }: { account: Dashboard['account']; hidden: boolean }) {
  const { asset, spentMinor, spentLastMonthMinor } = account
  if (spentMinor <= 0) return <Trans>Nothing spent this month yet.</Trans>
  const spent = hidden ? <HiddenFigure /> : <Money amountMinor={spentMinor} asset={asset} />
  const percent = (spentMinor / spentLastMonthMinor - 1) * 100
  if (hidden || spentLastMonthMinor <= 0 || percent > MAX_PERCENT) {
    return <Trans>You've spent {spent} this month.</Trans>
  }
  const difference = precisePercentage(Math.abs(percent))
  if (difference === precisePercentage(0)) {
    return <Trans>You've spent {spent} this month, the same as at this point last month.</Trans>
  }
  return percent < 0 ? (
    <Trans comment="{difference} is a percentage, such as 8.5%">
      You've spent {spent} this month, {difference} less than at this point last month.
    </Trans>
  ) : (
    <Trans comment="{difference} is a percentage, such as 8.5%">
      You've spent {spent} this month, {difference} more than at this point last month.
    </Trans>
  )
}
