import FileCopy
