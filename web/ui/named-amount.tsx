import type { ReactNode } from 'react'
import { EmailText } from '#web/ui/email-text.tsx'

type NamedAmountProps = {
  name: string
  /** A `Money` with `fit`, or content that replaces the amount. */
  amount: ReactNode
}

/** A name and an amount as the title of a link row. On a narrow row, the amount is below the name. */
export function NamedAmount({ name, amount }: NamedAmountProps) {
  return (
    <span className="flex flex-wrap items-baseline gap-x-3 [--beside:calc(var(--spacing)*22)] @max-[12rem]:[--beside:calc(var(--spacing)*8)]">
      <span className="min-w-0 flex-1 basis-24 leading-snug [overflow-wrap:anywhere] rtl:leading-normal">
        <bdi>
          <EmailText email={name} />
        </bdi>
      </span>
      <span className="ms-auto font-semibold">{amount}</span>
    </span>
  )
}
