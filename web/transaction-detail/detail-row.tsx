import type { ReactNode } from 'react'

/** Shows a labeled fact about a transaction. */
export function DetailRow({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="@container flex min-h-13 flex-wrap items-center justify-between gap-x-4 px-4 py-2">
      <dt className="text-[0.9375rem] text-ink-soft">{label}</dt>
      <dd className="tabular ms-auto flex max-w-full min-w-0 items-center gap-0.5 text-end text-[0.9375rem] font-medium">
        {children}
      </dd>
    </div>
  )
}
