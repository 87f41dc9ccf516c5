/// What every run of many seeds must have met often.
package enum Mark: Int, CaseIterable, Sendable {
  // What the kernel did.
  case shortRead, shortWrite, nothingWritten, stuck, waitedForMemory
  case memoryRefused, ioError, noSpace, quota, notSupported, interrupted, canceledByKernel, tryAgain
  case badRangeMet, endOfFile, staleAnswer, cancelledInKernel, cancelledInPart
  case cancelledTooLate, writeCut, laterPieceShort
  case lookFailed, pathOpened, pathNotOpened, pathClosed, closingFailed
  // What the scheduler decided.
  case answerEnded, answerRepeated, answerRerouted, answerAwaitsReadiness, readinessCame
  case waitedForDevice, waitedForSlot, reroutedForPeers, cancelledWaiting, cancelledRerouted
  case abandonedInFlight, abandonedWaiting, threadTransfer
  // How operations ended.
  case readItsLength, readToTheEnd, readFailed, readFailedAfterBytes, readWithoutMemory, readStopped
  case readStoppedAfterBytes, wroteAll, writeFailed, writeFailedAfterBytes, writeStopped
  case writeStoppedAfterBytes, nothingToDo, offsetNowhere, refusedAfterClose, openingFailed
  // What channels did.
  case shortReadResumed, shortWriteResumed, outOfOrderAnswer, deliveredBelowLowWater
  case deliveredAtHighWater, writeReported, readWaitedForHandler, barrierWaited, barrierRan
  case barrierAfterClose, stoppedWaiting, stoppedInFlight, stoppedBeforeDone, cleanedUp
  case letGo, calledFromHandler, writeOfManyRegions, waitedBehindStuck, crowded
  case barrierOfSeveral, cleanedUpTogether, examinedLate, ticked, deliveredNothing, reportedByTick
  case waitedForOpening, openingFailedForAll, oneShotRead, oneShotWrote, oneShotFailed
  case barrierOnTarget, readAtOnce, notInMemory, partlyInMemory
  case calledDuringLook, wroteAtOnce, readWhenGranted, missedWhenGranted, stoppedDuringLook
  case siblingMade, siblingFailed, siblingFailedLater
}
