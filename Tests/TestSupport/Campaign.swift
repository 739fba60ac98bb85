import Foundation

/// Whether the tests that can try more do: with `PYRAMID_CAMPAIGN=1` in the environment, as `make campaign` has it.
package let isCampaign = ProcessInfo.processInfo.environment["PYRAMID_CAMPAIGN"] == "1"
