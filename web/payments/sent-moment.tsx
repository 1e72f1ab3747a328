import { Trans, useLingui } from '@lingui/react/macro'
import type { Contact } from '#contract/payments.ts'
import { wholeDay } from '#web/i18n/dates.ts'
import { isNamed, PayeeFace } from '#web/payments/shared/payee-face.tsx'
import type { SentPayment } from '#web/payments/transfer-form.ts'
import { DoneTick } from '#web/ui/done-tick.tsx'
import { EmailText } from '#web/ui/email-text.tsx'
import { FitMoney } from '#web/ui/money.tsx'
import { Rings } from '#web/ui/rings.tsx'

type SentMomentProps = { payment: SentPayment; amountMinor: number; address: string; payee: Contact | null }

/**
 * Shows that a payment is sent, until the dashboard opens. It covers the form, which keeps the focus. A screen reader reads the
 * toast instead, which has the same text and the actions.
 */
export function SentMoment({ payment, amountMinor, address, payee }: SentMomentProps) {
  const who = (
    <bdi className="font-semibold text-ink">{isNamed(payee) ? payee.name : <EmailText email={address} />}</bdi>
  )
  return (
    <div aria-hidden data-moment className="sent-moment absolute -inset-x-4 inset-y-0 z-20 bg-canvas">
      <div className="sticky top-0 flex h-[min(100%,78dvh)] flex-col items-center justify-center px-5 pb-10 text-center">
        <div className="relative isolate grid size-64 max-w-full place-items-center">
          <Rings grow className="absolute inset-0 -z-10 text-primary opacity-25" />
          <span className="sent-face relative">
            <PayeeFace
              contact={payee}
              address={address}
              className="!size-26 !text-4xl shadow-card"
              iconClassName="size-10"
            />
            <svg viewBox="0 0 120 120" fill="none" className="absolute -inset-2.5 overflow-visible text-success">
              <circle
                className="tick-ring"
                cx="60"
                cy="60"
                r="58"
                stroke="currentColor"
                strokeWidth={3.5}
                pathLength={1}
              />
            </svg>
            <span className="absolute -end-2.5 -bottom-2.5 grid size-11 place-items-center rounded-full bg-canvas text-success">
              <DoneTick className="size-8.5" />
            </span>
          </span>
        </div>
        <div className="sent-words @container w-full">
          <FitMoney
            amountMinor={amountMinor}
            asset="USD"
            most="3.25rem"
            className="leading-tight font-semibold tracking-[-0.03em]"
          />
          <p className="mt-1 text-lg text-ink-soft">
            <Trans comment="{who} is the payee">to {who}</Trans>
          </p>
          <Waits payment={payment} />
        </div>
      </div>
    </div>
  )
}

/** Shows what the payment still waits for, or nothing if the money has arrived. */
function Waits({ payment }: { payment: SentPayment }) {
  const waitsText = useWaits(payment)
  return (
    waitsText && (
      <p className="mx-auto mt-4 w-fit rounded-full bg-warning-subtle px-4 py-1.5 text-sm font-medium text-warning">
        {waitsText}
      </p>
    )
  )
}

function useWaits(payment: SentPayment): string | null {
  const { t } = useLingui()
  if ('transaction' in payment)
    return payment.transaction.status === 'pending'
      ? t({ message: 'Waiting to be accepted', comment: 'A payment' })
      : null
  const date = wholeDay(payment.schedule.dueOn)
  return payment.schedule.every === 'once' ? t`It goes out on ${date}.` : t`The first payment goes out on ${date}.`
}
