import { Unlink } from 'lucide-react'
import type { ReactNode } from 'react'
import { errorText } from '#web/i18n/error-text.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'

/** Shown for a mailed link that is invalid or no longer valid. */
export function InvalidLink({ children, action }: { children: ReactNode; action: ReactNode }) {
  return (
    <div className="flex flex-1 flex-col justify-center">
      <EmptyState icon={Unlink} heading="h1" title={errorText('link_invalid')} action={action}>
        {children}
      </EmptyState>
    </div>
  )
}
