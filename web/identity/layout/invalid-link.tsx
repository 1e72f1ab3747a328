import { Unlink } from 'lucide-react'
import type { ReactNode } from 'react'
import { errorText } from '#web/i18n/error-text.ts'
import { Notice } from '#web/ui/notice.tsx'

/** Where a link that was mailed leads to nothing (any more). */
export function InvalidLink({ children, action }: { children: ReactNode; action: ReactNode }) {
  return (
    <div className="flex flex-1 flex-col justify-center">
      <Notice icon={Unlink} heading="h1" title={errorText('link_invalid')} action={action}>
        {children}
      </Notice>
    </div>
  )
}
