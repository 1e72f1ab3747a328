import { Trans, useLingui } from '@lingui/react/macro'
import { ChevronRight, Clock3, Eye, EyeOff, Landmark, TrendingDown, TrendingUp } from 'lucide-react'
import type { ComponentProps, CSSProperties, ReactNode } from 'react'
import { Link } from 'react-router'
import type { Dashboard } from '#contract/accounts.ts'
import { QuickActions } from '#web/accounts/dashboard/quick-actions.tsx'
import { HiddenFigure } from '#web/accounts/shared/hidden-figure.tsx'
import { paths } from '#web/lib/paths.ts'
import { usePreviousValue } from '#web/lib/previous-value.ts'
import { Money, moneyChars, type MoneyProps } from '#web/ui/money.tsx'
import { Rings } from '#web/ui/rings.tsx'
import { RollingMoney } from '#web/ui/rolling-money.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

type BalanceCardProps = {
  account: Dashboard['account'] | undefined
  /** Whether all amounts on the screen are hidden. */
  hidden: boolean
  onHiddenChange: (hidden: boolean) => void
}

/** The style of the two round buttons in the corner of the card. */
const CORNER_BUTTON =
  'grid size-11 place-items-center rounded-full text-on-brand-soft transition-colors hover:bg-on-brand/10 hover:text-on-brand'

/** Shows the balance, the switch that hides all amounts on the screen, and the quick actions. */
export function BalanceCard({ account, hidden, onHiddenChange }: BalanceCardProps) {
  const { t } = useLingui()
  const toggleLabel = hidden ? t`Show Balance` : t`Hide Balance`
  const ToggleIcon = hidden ? EyeOff : Eye
  return (
    <BrandCard label={t`Balance`}>
      <div className="flex items-center justify-between gap-2 px-1">
        <h2 className="text-[0.9375rem] font-medium text-on-brand-soft">
          <Trans>Available Balance</Trans>
        </h2>
        <div className="-my-2 -me-2 flex">
          <Link to={paths.accountDetails} aria-label={t`Account Details`} data-tip className={CORNER_BUTTON}>
            <Landmark aria-hidden className="size-5" strokeWidth={1.9} />
          </Link>
          <button
            type="button"
            aria-label={toggleLabel}
            data-tip
            onClick={() => onHiddenChange(!hidden)}
            className={CORNER_BUTTON}
          >
            <ToggleIcon aria-hidden className="size-5" strokeWidth={1.9} />
          </button>
        </div>
      </div>
      {account ? <Figures account={account} hidden={hidden} /> : <FiguresSkeleton />}
      <QuickActions />
    </BrandCard>
  )
}

/** Shows the quick actions alone when the balance cannot be loaded. */
export function ActionsCard() {
  const { t } = useLingui()
  return (
    <BrandCard label={t`Quick actions`}>
      <QuickActions />
    </BrandCard>
  )
}

function BrandCard({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section
      aria-label={label}
      className="on-brand @container relative isolate overflow-hidden rounded-[1.75rem] bg-linear-to-br from-brand to-brand-deep px-4 pt-3.5 pb-3 text-on-brand shadow-card [--beside:1.75rem]"
    >
      <Rings className="absolute -end-24 -top-28 -z-10 size-80 opacity-[0.17]" />
      {children}
    </section>
  )
}

function FiguresSkeleton() {
  return (
    <>
      <span className="fit-line mx-1 block" style={{ '--chars': 10 } as CSSProperties}>
        <span className="flex min-h-12 items-center">
          <Skeleton line className="w-[5em] !bg-on-brand/15" />
        </span>
      </span>
      <Skeleton line className="mx-1 w-40 text-[0.9375rem] !bg-on-brand/15" />
    </>
  )
}

type FiguresProps = { account: Dashboard['account']; hidden: boolean }

function Figures({ account, hidden }: FiguresProps) {
  const { t } = useLingui()
  const { asset, availableMinor, monthChangeMinor } = account
  const Trend = monthChangeMinor < 0 ? TrendingDown : TrendingUp
  const previousMinor = usePreviousValue('balance', availableMinor)
  const balance: MoneyProps = { amountMinor: availableMinor, asset, smallDecimals: true }
  const change = hidden ? (
    <HiddenFigure label={t({ message: 'Change hidden', comment: "The month's change of the balance is hidden" })} />
  ) : (
    <Figure amountMinor={monthChangeMinor} asset={asset} sign="always" />
  )
  return (
    <>
      <p className="fit-line mx-1" style={{ '--chars': moneyChars(balance), '--fit-max': '2.75rem' } as CSSProperties}>
        <span className="flex min-h-12 items-center font-semibold tracking-[-0.03em]">
          {hidden ? <HiddenFigure label={t`Balance hidden`} /> : <RollingMoney {...balance} before={previousMinor} />}
        </span>
      </p>
      <p className="flex items-center gap-1.5 px-1 text-[0.9375rem] text-on-brand-soft">
        {!hidden && <Trend aria-hidden className="size-4 shrink-0" strokeWidth={2.2} />}
        <span className="min-w-0">
          <Trans comment="Income less expenses since the first of the month, without transfers between the customer's own accounts. Example: +$120.00 this month">
            {change} this month
          </Trans>
        </span>
      </p>
      <PendingAmounts account={account} hidden={hidden} />
    </>
  )
}

function Figure({ amountMinor, asset, sign = 'negative' }: ComponentProps<typeof Money>) {
  return <Money amountMinor={amountMinor} asset={asset} sign={sign} fit className="font-semibold text-on-brand" />
}

/** Shows the incoming and the held amount, as a link to the pending transactions. */
function PendingAmounts({ account, hidden }: FiguresProps) {
  const { asset, incomingMinor, heldMinor } = account
  if (incomingMinor <= 0 && heldMinor <= 0) return null
  const incoming = <PendingAmount amountMinor={incomingMinor} asset={asset} hidden={hidden} />
  const held = <PendingAmount amountMinor={heldMinor} asset={asset} hidden={hidden} />
  return (
    <Link
      to={`${paths.transactions}?status=pending`}
      className="-mx-1 mt-1 flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 rounded-control px-2 py-2 text-sm text-on-brand-soft transition-colors hover:bg-on-brand/8"
    >
      {incomingMinor > 0 && (
        <PendingPart>
          <Trans comment="{incoming} is an amount that has not arrived yet">{incoming} on its way to you</Trans>
        </PendingPart>
      )}
      {heldMinor > 0 && (
        <PendingPart>
          <Trans comment="{held} is an amount set aside for uncompleted payments">{held} pending</Trans>
        </PendingPart>
      )}
      <ChevronRight aria-hidden className="ms-auto size-4 shrink-0 rtl:-scale-x-100" strokeWidth={2} />
    </Link>
  )
}

function PendingAmount({ hidden, ...figure }: ComponentProps<typeof Money> & { hidden: boolean }) {
  return hidden ? <HiddenFigure /> : <Figure {...figure} />
}

function PendingPart({ children }: { children: ReactNode }) {
  return (
    <span className="flex items-center gap-1.5">
      <Clock3 aria-hidden className="size-4 shrink-0" strokeWidth={2} />
      <span className="min-w-0">{children}</span>
    </span>
  )
}
