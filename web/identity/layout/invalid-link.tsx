import { Unlink } from 'lucide-react'
import type { ReactNode } from 'react'
import { ERRORS } from '#contract/errors.ts'
import { Notice } from '#web/ui/notice.tsx'

/** Where a link that was mailed leads to nothing (any more). */
export function InvalidLink({ children, action }: { children: ReactNode; action: ReactNode }) {
  return (
    <div className="flex flex-1 flex-col justify-center">
      <Notice icon={Unlink} heading="h1" title={ERRORS.link_invalid.message} action={action}>
        {children}
      </Notice>
    </div>
  )
}
