print 3 +;
