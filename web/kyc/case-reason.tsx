import type { LucideIcon } from 'lucide-react'
import type { ReviewReason } from '#contract/review-reasons.ts'
import { kycReasonText } from '#web/i18n/document-words.ts'

/** Shows the reviewer's explanation to the customer. */
export function CaseReason({ icon: Icon, title, reason }: { icon: LucideIcon; title: string; reason: ReviewReason }) {
  return (
    <section className="rounded-card bg-warning-subtle p-4">
      <h2 className="flex items-center gap-2 font-semibold text-warning">
        <Icon aria-hidden className="size-5 shrink-0" strokeWidth={2} />
        {title}
      </h2>
      <p className="mt-1 text-[0.9375rem] text-pretty whitespace-pre-line">{kycReasonText(reason)}</p>
    </section>
  )
}
