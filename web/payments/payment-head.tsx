import type { Contact } from '#contract/payments.ts'
import { isNamed, PayeeFace } from '#web/payments/shared/payee-face.tsx'
import { cx } from '#web/ui/cx.ts'
import { EmailText } from '#web/ui/email-text.tsx'
import { FitMoney } from '#web/ui/money.tsx'

type PaymentHeadProps = { amountMinor: number; address: string; payee: Contact | null }

/** Shows the payee and the amount of a payment. */
export function PaymentHead({ amountMinor, address, payee }: PaymentHeadProps) {
  const isKnown = isNamed(payee)
  return (
    <div className="@container flex flex-col items-center text-center text-ink">
      <PayeeFace contact={payee} address={address} className="!size-16 !text-xl" iconClassName="size-7" />
      <FitMoney
        amountMinor={amountMinor}
        asset="USD"
        most="2.25rem"
        className={cx(
          'mt-3 w-full leading-tight font-semibold tracking-tight',
          amountMinor === 0 && 'text-placeholder',
        )}
      />
      {isKnown && (
        <p dir="auto" className="mt-1 font-semibold">
          {payee.name}
        </p>
      )}
      <p dir="ltr" className={cx('max-w-full', isKnown ? 'text-sm text-ink-soft' : 'mt-1 font-semibold')}>
        <EmailText email={address} />
      </p>
    </div>
  )
}
