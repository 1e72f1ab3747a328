import { useEffect, useState } from 'react'

type Estimator = typeof import('#web/identity/password/strength.ts')

/** Loads the strength estimator with its lists of common passwords. Returns null while it loads or is not needed. */
export function useEstimator(isNeeded = true): Estimator | null {
  const [estimator, setEstimator] = useState<Estimator | null>(null)
  useEffect(() => {
    // Without the estimator there is no meter. The bank still checks the password.
    if (isNeeded) import('#web/identity/password/strength.ts').then(setEstimator, () => {})
  }, [isNeeded])
  return estimator
}
