import type { ReactNode } from 'react'

/** Lists labeled facts. Facts without a value are left out. */
export function DetailList({ details }: { details: readonly ({ label: string; value: ReactNode } | false | null)[] }) {
  return (
    <dl className="divide-y divide-line rounded-card border border-line bg-surface px-4">
      {details.map(
        (detail) =>
          detail && (
            <div key={detail.label} className="flex min-h-12 flex-wrap items-center gap-x-4 py-2 text-[0.9375rem]">
              <dt className="text-ink-soft">{detail.label}</dt>
              <dd className="tabular ms-auto max-w-full min-w-0 text-end font-medium [overflow-wrap:anywhere]">
                {detail.value}
              </dd>
            </div>
          ),
      )}
    </dl>
  )
}
