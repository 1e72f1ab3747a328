import type { ReactNode } from 'react'
import { EmailText } from '#web/ui/email-text.tsx'

type NamedAmountProps = {
  name: string
  /** A `Money` that fits, or what stands for it. */
  amount: ReactNode
}

/** Who and how much, as the title of a row that leads on. Where both have no room beside each other, the amount stands below. */
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
