import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { AccountDetails } from '#contract/account-details.ts'
import { groupDigits } from '#contract/bank-numbers.ts'
import { CopyIconButton } from '#web/ui/copy-button.tsx'
import { Rings } from '#web/ui/rings.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** Shows the details on a card in the bank's color. Each detail has a copy button. */
export function DetailsCard({ details }: { details: AccountDetails | undefined }) {
  const { t } = useLingui()
  return (
    <section
      aria-label={t`Account Details`}
      className="on-brand relative isolate overflow-hidden rounded-[1.75rem] bg-linear-to-br from-brand to-brand-deep py-2 text-on-brand shadow-card"
    >
      <Rings className="absolute -end-24 -top-28 -z-10 size-80 opacity-[0.17]" />
      <dl className="divide-y divide-on-brand/14">
        <Detail
          label={t`Account Number`}
          text={details?.accountNumber}
          action={t`Copy Account Number`}
          copied={t`Account number copied`}
        >
          {details && <Digits>{groupDigits(details.accountNumber)}</Digits>}
        </Detail>
        <Detail
          label={t`Routing Number`}
          text={details?.routingNumber}
          action={t`Copy Routing Number`}
          copied={t`Routing number copied`}
        >
          {details && <Digits>{details.routingNumber}</Digits>}
        </Detail>
        <Detail label={t`Account Holder`} text={details?.holderName} action={t`Copy Name`} copied={t`Name copied`}>
          {details && <WordsWithSpaces>{details.holderName}</WordsWithSpaces>}
        </Detail>
        <Detail label={t`Bank`} text={details?.bankName} action={t`Copy Bank`} copied={t`Bank copied`}>
          {details && <WordsWithSpaces>{details.bankName}</WordsWithSpaces>}
        </Detail>
      </dl>
    </section>
  )
}

type DetailProps = {
  label: string
  /** The text to copy. It is undefined while the details load. */
  text: string | undefined
  action: string
  copied: string
  children: ReactNode
}

function Detail({ label, text, action, copied, children }: DetailProps) {
  return (
    <div className="py-2.5 ps-5 pe-2.5">
      <dt className="text-sm text-on-brand-soft">{label}</dt>
      <dd className="flex min-h-8 items-center gap-2">
        <span className="min-w-0 flex-1">
          {text === undefined ? <Skeleton line className="w-44 !bg-on-brand/15" /> : children}
        </span>
        {text !== undefined && (
          <CopyIconButton
            text={text}
            label={action}
            message={copied}
            className="-my-3 !text-on-brand-soft hover:!bg-on-brand/10 hover:!text-on-brand"
          />
        )}
      </dd>
    </div>
  )
}

/** Keeps digits in order on a page that is read from right to left. */
function Digits({ children }: { children: string }) {
  return (
    <bdi
      dir="ltr"
      className="tabular text-[min(1.375rem,6.5vw)] leading-snug font-semibold tracking-[0.01em] break-words"
    >
      {children}
    </bdi>
  )
}

function WordsWithSpaces({ children }: { children: string }) {
  return (
    <bdi className="text-[1.0625rem] font-medium [overflow-wrap:anywhere]" dir="auto">
      {children}
    </bdi>
  )
}
